import { frameAllow, frameSandbox } from '@latchkey/wire'
import { keepUsable } from '../../modal/keepUsable.ts'
import type { FrameContainer, FrameContainerParameters } from './frame.ts'

// As often as a browser reports visibility. Doing this at each screen refresh would keep a
// processor busy.
const drawEveryMs = 100

/**
 * Creates the dialog that contains the page's header and the frame. A closed dialog draws nothing,
 * and the frame keeps running.
 */
export function createFrameContainer({
  origin,
  onDismiss,
}: FrameContainerParameters): FrameContainer {
  const dialog = document.createElement('dialog')
  const header = document.createElement('div')
  const iframe = document.createElement('iframe')
  iframe.setAttribute('sandbox', frameSandbox)
  iframe.setAttribute('allow', frameAllow(origin))
  // The frame identifies the embedding page by the referrer alone, so the page's own policy must
  // not hide it.
  iframe.referrerPolicy = 'origin'
  const toHeader = () => (header.querySelector<HTMLElement>('button') ?? iframe).focus()
  dialog.append(
    focusEdge(() => iframe.focus()),
    header,
    iframe,
    focusEdge(toHeader),
  )
  let release: (() => void) | undefined
  let nextDrawing: ReturnType<typeof setTimeout> | undefined
  watchDismissal(dialog, onDismiss)
  // Some browsers close a dialog on their own, at the second Escape.
  dialog.addEventListener('close', () => release && !dialog.open && onDismiss())

  // A page that repaints nothing does not report to the frame that it is visible, so approvals
  // would stay disabled.
  const keepDrawing = () => {
    clearTimeout(nextDrawing)
    if (!dialog.open) return
    nextDrawing = setTimeout(() => requestAnimationFrame(keepDrawing), drawEveryMs)
  }
  const raise = () => {
    if (dialog.open) dialog.close()
    dialog.showModal()
    iframe.focus()
    keepDrawing()
  }
  return {
    here: window,
    dialog,
    header,
    load(address) {
      iframe.src = address
      if (!dialog.isConnected) document.body.append(dialog)
      const loaded = new Promise<void>((resolve) =>
        iframe.addEventListener('load', () => resolve(), { once: true }),
      )
      return { there: iframe.contentWindow as Window, loaded }
    },
    show({ title, height }) {
      dialog.setAttribute('aria-label', title)
      iframe.title = title
      // A closed frame cannot measure its height: open it invisibly, wait for the height, then show
      // it.
      dialog.toggleAttribute('data-lk-unmeasured', height === 0)
      if (height > 0) {
        iframe.height = String(Math.ceil(height))
        dialog.style.setProperty('--lk-frame-height', `${Math.ceil(height)}px`)
      }
      release ??= keepUsable(dialog)
      if (!dialog.open) raise()
    },
    raise() {
      if (dialog.open) raise()
    },
    hide() {
      release?.()
      release = undefined
      dialog.close()
    },
    remove() {
      release?.()
      dialog.remove()
    },
  }
}

/**
 * A focusable element at the dialog's edge that makes Tab wrap around: a native dialog lets the
 * focus move to the browser's own controls.
 */
function focusEdge(lead: () => void): HTMLElement {
  const edge = document.createElement('span')
  edge.tabIndex = 0
  edge.addEventListener('focus', lead)
  return edge
}

function watchDismissal(dialog: HTMLDialogElement, onDismiss: () => void) {
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return
    event.preventDefault()
    onDismiss()
  })
  dialog.addEventListener('click', ({ target, clientX, clientY }) => {
    if (target !== dialog) return
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom
    if (isBeside) onDismiss()
  })
}
