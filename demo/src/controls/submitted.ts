// What a form does in place of sending itself.

export function submitted(act: () => void): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}
