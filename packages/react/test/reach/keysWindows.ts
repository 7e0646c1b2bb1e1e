import { expect } from 'vitest'

/** The page that the SDK opens in place of Coinbase's. */
export const keysUrl = `${location.origin}/keys-of-coinbase`

/** Clears the storage of the SDK and of the page in its windows. */
export function clearKeys(): void {
  for (const key of Object.keys(localStorage))
    if (/CBWSDK|keysOfCoinbase/.test(key)) localStorage.removeItem(key)
}

let [loaded, left] = [0, 0]
window.addEventListener('message', ({ data }: MessageEvent<{ event?: string } | undefined>) => {
  if (data?.event === 'PopupLoaded') loaded += 1
  if (data?.event === 'PopupUnload') left += 1
})

/**
 * The SDK treats the last message of a closing window as a message of the next window, so this
 * waits for it.
 */
export const areClosed = () => expect.poll(() => left >= loaded).toBe(true)
