import { type Channel, isError, openChannel } from '@latchkey/wire'
import { type Answer, type Call, type Outcome, popupProtocol } from './protocol.ts'

type Popup = { window: Window; channel: Promise<Channel<typeof popupProtocol>> }

/** Without a state where no window said any. */
type Asked = { outcome: Outcome; state?: Answer['state'] }

const refused = (code: number, message: string): Asked => ({
  outcome: { error: { code, message } },
})

/** Asks a person, one request after another, in one window that opens with the first and closes after the last. */
export function createPopup(walletOrigin: string): { ask(call: Call): Promise<Asked> } {
  let popup: Popup | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const open = (): Popup | undefined => {
    const { origin } = window.location
    // A new name each time: a window of the last request may still be closing.
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
    const made: Popup = { window: opened, channel }
    const forget = () => {
      if (popup === made) popup = undefined
    }
    channel.then(({ closed }) => closed.addEventListener('abort', forget), forget)
    return made
  }

  // Not async: the window must open in the same task as the click that asks for it.
  const ask = (call: Call): Promise<Asked> => {
    if (popup?.window.closed) popup = undefined
    popup ??= open()
    const mine = popup
    if (!mine)
      return Promise.resolve(
        refused(
          -32000,
          "The browser blocked the wallet's window. Allow pop-ups for this page and try again",
        ),
      )
    waiting += 1
    mine.window.focus()
    const answer: Promise<Asked> = last
      .then(async () => (await mine.channel).request('ask', call, { timeoutMs: null }))
      .catch((error: unknown) => {
        if (isError(error, 'CHANNEL_CLOSED')) return refused(4001, 'User rejected the request')
        if (isError(error, 'INVALID_PARAMS') || isError(error, 'MESSAGE_TOO_LARGE'))
          return refused(-32602, error.message)
        mine.window.close()
        return refused(4900, 'The development wallet does not answer. Is it running?')
      })
      .finally(() => {
        waiting -= 1
        if (waiting > 0 || popup !== mine) return
        popup = undefined
        mine.channel.then((channel) => channel.close()).catch(() => {})
        mine.window.close()
      })
    last = answer
    return answer
  }
  return { ask }
}
