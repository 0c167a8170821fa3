const messages = { skip: 'Skip to the page' };

/** The first thing that the keyboard reaches: over the header, to the `main` with the id `page`. */
export function SkipLink() {
  return (
    <a className="skip" href="#page">
      {messages.skip}
    </a>
  );
}
