import type { WalletConnect } from '../openWalletConnect.ts'
import { texts } from '../texts.ts'

/** How the relays are reached, and a way to try again at once. */
export function Relay({ walletConnect }: { walletConnect: WalletConnect }) {
  const { wallet, relays } = walletConnect
  return (
    <div role="status">
      {[...relays()].map(([url, state]) => (
        <div key={url} className="line relay" data-testid="relay" data-status={state.status}>
          <p>
            {texts.relay}: <span data-testid="relay-status">{texts.relayStatus[state.status]}</span>
            <small>{url}</small>
            {'error' in state && <small>{state.error.message}</small>}
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
