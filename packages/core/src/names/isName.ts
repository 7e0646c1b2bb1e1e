/** Whether a text is written as a name and not as an address: words with dots between them, as `alice.eth`. */
export const isName = (text: string): boolean =>
  /^(?!0x[0-9a-f]{40}$)[^\s.]+(\.[^\s.]+)+$/iu.test(text.trim())
