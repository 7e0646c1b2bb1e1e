/** A word of 33 letters, longer than any of a translation. */
export const german = 'Donaudampfschifffahrtsgesellschaft'

/**
 * Adds a long word to each label of the page, as if its language had longer words. Names,
 * addresses, amounts and codes are the same in all languages, and stay. It runs in any page.
 */
export function addLongWord(word: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const isWords = /\p{L}{2}/u.test(node.data) && !/\d/.test(node.data)
    if (isWords && !node.parentElement?.closest('bdi, [dir], .tokenRow, script, style, svg'))
      node.data = `${node.data} ${word}`
  }
}

/** Undoes {@link addLongWord}. */
export function removeLongWord(word: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null)
    if (node.data.endsWith(` ${word}`)) node.data = node.data.slice(0, -word.length - 1)
}
