/**
 * Follows the place of an element in the modal, in pixels from its top, at each change of the page.
 * The returned function stops it and returns all places of the element.
 */
export function watchPlace(find: () => HTMLElement | null | undefined): () => readonly number[] {
  const places = new Set<number>()
  const observer = new MutationObserver(() => {
    const element = find()
    if (element) places.add(element.offsetTop)
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  return () => {
    observer.disconnect()
    return [...places]
  }
}

/** The button of the modal with this label. */
export const findButton = (text: string): HTMLElement | undefined =>
  [...document.querySelectorAll('dialog button')].find(
    (button): button is HTMLElement => button.textContent === text,
  )
