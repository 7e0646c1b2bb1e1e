import { sanitizeText } from '@latchkey/wire'
import type { WalletConnect } from './openWalletConnect.ts'
import { texts } from './texts.ts'

/** What apps did by themselves, the newest first. */
export function Notices({ walletConnect }: { walletConnect: WalletConnect }) {
  const notices = walletConnect.notices()
  return (
    <div role="log" aria-label={texts.happened} className="notices" data-testid="notices">
      {notices.map(({ id, text, atMs }) => (
        <p key={id}>
          {sanitizeText(text)} <small>{new Date(atMs).toLocaleTimeString()}</small>
        </p>
      ))}
    </div>
  )
}
