/**
 * Whether a string is a name and not an address: words separated by dots, for example `alice.eth`.
 */
export const isName = (text: string): boolean => /^[^\s.]+(\.[^\s.]+)+$/u.test(text.trim())
