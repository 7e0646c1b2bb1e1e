import { type Channel, isError, openChannel } from '@latchkey/wire'
import { type Call, popupProtocol, type WalletResponse, type WalletResult } from './protocol.ts'

type Popup = { window: Window; channel: Promise<Channel<typeof popupProtocol>> }

/** `state` is undefined if no window has sent one. */
type PopupAnswer = { outcome: WalletResult; state?: WalletResponse['state'] }

const refused = (code: number, message: string): PopupAnswer => ({
  outcome: { error: { code, message } },
})

/**
 * Asks the user, one request after another, in one window that opens with the first request and
 * closes after the last.
 */
export function createPopup(walletOrigin: string): { ask(call: Call): Promise<PopupAnswer> } {
  let popup: Popup | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const open = (): Popup | undefined => {
    const { origin } = window.location
    // A new name each time: the window of the last request may still be closing.
    const opened = window.open(
      `${walletOrigin}/approve.html#${origin}`,
      `latchkey-wallet-${Date.now()}`,
      'popup,width=400,height=680',
    )
    if (!opened) return undefined
    const channel = openChannel({
      window,
      target: opened,
      targetOrigin: walletOrigin,
      protocol: popupProtocol,
    })
    const newPopup: Popup = { window: opened, channel }
    const forget = () => {
      if (popup === newPopup) popup = undefined
    }
    channel.then(({ closed }) => closed.addEventListener('abort', forget), forget)
    return newPopup
  }

  // Not async: the window must open in the same task as the click.
  const ask = (call: Call): Promise<PopupAnswer> => {
    if (popup?.window.closed) popup = undefined
    popup ??= open()
    const ownPopup = popup
    if (!ownPopup)
      return Promise.resolve(
        refused(
          -32000,
          "The browser blocked the wallet's window. Allow pop-ups for this page and try again",
        ),
      )
    waiting += 1
    ownPopup.window.focus()
    const answer: Promise<PopupAnswer> = last
      .then(async () => (await ownPopup.channel).request('ask', call, { timeoutMs: null }))
      .catch((error: unknown) => {
        if (isError(error, 'CHANNEL_CLOSED')) return refused(4001, 'User rejected the request')
        if (isError(error, 'INVALID_PARAMS') || isError(error, 'MESSAGE_TOO_LARGE'))
          return refused(-32602, error.message)
        ownPopup.window.close()
        return refused(4900, 'The development wallet does not answer. Is it running?')
      })
      .finally(() => {
        waiting -= 1
        if (waiting > 0 || popup !== ownPopup) return
        popup = undefined
        ownPopup.channel.then((channel) => channel.close()).catch(() => {})
        ownPopup.window.close()
      })
    last = answer
    return answer
  }
  return { ask }
}
