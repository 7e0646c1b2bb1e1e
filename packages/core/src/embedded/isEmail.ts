/** Whether a text has the form of an e-mail address; whether it is one only a mail tells. */
export const isEmail = (text: string): boolean =>
  text.length <= 320 && /^[^\s@<>,;]+@[^\s@.<>,;]+(\.[^\s@.<>,;]+)+$/u.test(text)
