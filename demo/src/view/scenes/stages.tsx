// The stages of a question, with the one that is open.

export function Stages({ names, at }: { names: readonly (string | number)[]; at: number }) {
  return (
    <ol class="stages">
      {names.map((name, i) => (
        <li key={name} class={i < at ? 'is-done' : ''} aria-current={i === at ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}
