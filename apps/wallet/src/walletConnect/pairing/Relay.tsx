import { errorMessage } from '../errorMessage.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { texts } from '../texts.ts'

/** The status of each relay, and a button that reconnects. */
export function Relay({ walletConnect }: { walletConnect: WalletConnect }) {
  const { wallet, relays } = walletConnect
  return (
    <div role="status">
      {[...relays()].map(([url, state]) => (
        <div key={url} className="line relay" data-testid="relay" data-status={state.status}>
          <p>
            {texts.relay}: <span data-testid="relay-status">{texts.relayStatus[state.status]}</span>
            <small>{url}</small>
            {'error' in state && <small>{errorMessage(state.error)}</small>}
          </p>
          {'error' in state && (
            <button type="button" data-testid="relay-retry" onClick={() => wallet.revive()}>
              {texts.tryNow}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
