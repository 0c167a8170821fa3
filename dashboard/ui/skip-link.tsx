const messages = { skip: 'Skip to the page' };

/** The keyboard's first stop: a link past the header, to the `main` with the id `page`. */
export function SkipLink() {
  return (
    <a className="skip" href="#page">
      {messages.skip}
    </a>
  );
}
