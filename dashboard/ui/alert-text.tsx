export function AlertText({ sections }: { sections: [title: string, text: string][] }) {
  return (
    <dl className="four">
      {sections.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
