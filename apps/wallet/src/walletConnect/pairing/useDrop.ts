import { findPairingUri } from '@latchkey/walletconnect'
import { useEffect, useRef } from 'react'

/**
 * Reads a screenshot that is pasted or dropped anywhere, and a link that is pasted outside of all
 * fields.
 */
export function useDrop(on: {
  onImage: (file: Blob) => Promise<string | undefined>
  onText: (text: string) => void
}) {
  const latest = useRef(on)
  latest.current = on
  useEffect(() => {
    const abort = new AbortController()
    const take = (data: DataTransfer | null) => {
      const file = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file) return false
      const { onImage, onText } = latest.current
      void onImage(file).then((text) => text && onText(text))
      return true
    }
    const listen = { signal: abort.signal }
    window.addEventListener(
      'paste',
      (event) => {
        if (take(event.clipboardData)) return event.preventDefault()
        const isField = event.target instanceof HTMLInputElement
        const text = event.clipboardData?.getData('text/plain').trim() ?? ''
        if (!isField && findPairingUri(text) !== undefined) latest.current.onText(text)
      },
      listen,
    )
    window.addEventListener('dragover', (event) => event.preventDefault(), listen)
    window.addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        take(event.dataTransfer)
      },
      listen,
    )
    return () => abort.abort()
  }, [])
}
