import { navigate } from '../useRoute.ts'

/** The pages that notices open. */
const noticePaths = ['/activity', '/allowances'] as const
/** The page that a notice opens. */
export type NoticePath = (typeof noticePaths)[number]

/**
 * Goes to the page of a notice that the user has pressed, which the service worker reports. Returns
 * a function that ends this.
 */
export function followPresses(): () => void {
  const worker = navigator.serviceWorker
  const open = ({ data }: MessageEvent<unknown>) => {
    const path = noticePaths.find((one) => one === data)
    if (path) navigate(path)
  }
  worker?.addEventListener('message', open)
  return () => worker?.removeEventListener('message', open)
}
