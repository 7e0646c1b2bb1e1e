/** The titles of the modal: the one that it has, and all that it gets. */
export function noteTitles(): string[] {
  const getTitle = () => document.querySelector('dialog h2')?.textContent ?? ''
  const titles = [getTitle()]
  new MutationObserver(() => {
    if (getTitle() !== titles.at(-1)) titles.push(getTitle())
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
  return titles
}
