// What of a typed text is a name.

/** Invisible characters that change no letter: direction marks, and places where a line may break. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The name in a text, the same however its accents were typed; empty if no character of it is visible. */
export function nameIn(text: string): string {
  const isSeen = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text);
  return isSeen ? text.replace(INVISIBLE, '').normalize().trim() : '';
}
