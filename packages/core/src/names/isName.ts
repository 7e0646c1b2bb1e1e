/**
 * Whether a text is written as a name and not as an address: words with dots between them, as
 * `alice.eth`.
 */
export const isName = (text: string): boolean => /^[^\s.]+(\.[^\s.]+)+$/u.test(text.trim())
