import { onTestFinished } from 'vitest'

/** The title that the modal has, and all titles that it gets until the test ends. */
export function noteTitles(): string[] {
  const getTitle = () => document.querySelector('dialog h2')?.textContent ?? ''
  const titles = [getTitle()]
  const observer = new MutationObserver(() => {
    if (getTitle() !== titles.at(-1)) titles.push(getTitle())
  })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  onTestFinished(() => observer.disconnect())
  return titles
}
