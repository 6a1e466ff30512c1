/** Why something is not shown or was not done, where it was asked for. */
export function Failure({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className="error-box mx-4 my-2 text-sm">
      {text}
    </p>
  );
}
