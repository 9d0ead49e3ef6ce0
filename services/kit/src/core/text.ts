// eslint-disable-next-line no-control-regex -- finding control characters is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text from outside made safe for one log or audit line: CR, LF, ANSI, direction marks and other controls become \uXXXX. */
export function singleLine(text: string, max = 2000): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text;
  return cut.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An address without user, password, parameters and fragment: any of them may be a secret. */
export function bareAddress(address: string): string {
  const cut = address.split(/[?#]/)[0] ?? '';
  return cut.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
}
