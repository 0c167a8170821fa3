export function AlertParts({ parts }: { parts: [title: string, text: string][] }) {
  return (
    <dl className="four">
      {parts.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
