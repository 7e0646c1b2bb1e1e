/** Whether a text has the form of an e-mail address. Only a mail shows whether it exists. */
export const isEmail = (text: string): boolean =>
  text.length <= 320 && /^[^\s@<>,;]+@[^\s@.<>,;]+(\.[^\s@.<>,;]+)+$/u.test(text)
