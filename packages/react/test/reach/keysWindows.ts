import { expect } from 'vitest'

/** The page that the SDK opens in place of Coinbase's. */
export const keysUrl = `${location.origin}/keys-of-coinbase`

/** Forgets what the SDK and the page in its windows keep. */
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
 * The SDK takes what a window says as it closes for news of the next one, so that has to have come.
 */
export const areClosed = () => expect.poll(() => left >= loaded).toBe(true)
