import {
  NetworkButton,
  PageView,
  RecoveryNotice,
  useAccount,
  useModal,
  useSession,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { NoticesSettings } from '../notices/NoticesSettings.tsx'
import { ThemeSettings } from '../parts/ThemeSettings.tsx'

/**
 * The settings of an account with a login (`hasOwn`); for another account, what its wallet leaves
 * to this page. Also the sign-ins of an account that has signed in at the server, the theme and the
 * notices.
 */
export function Settings({ hasOwn }: { hasOwn: boolean }) {
  const { status } = useSession()
  return (
    <>
      {hasOwn ? (
        <section className="card">
          <RecoveryNotice />
          <PageView view={{ name: 'AccountSettings' }} />
        </section>
      ) : (
        <WalletSettings />
      )}
      {status === 'signedIn' && (
        <section className="card" aria-labelledby="signIns">
          <h2 id="signIns">{text('settings.signIns')}</h2>
          <PageView view={{ name: 'SignIns' }} />
        </section>
      )}
      <ThemeSettings />
      <NoticesSettings />
    </>
  )
}

function WalletSettings() {
  const { wallet } = useAccount()
  const { open } = useModal()
  return (
    <section className="card walletSettings" aria-labelledby="account">
      <h2 id="account">{text('settings.account')}</h2>
      <p className="quiet">
        {text('settings.inWallet', { wallet: wallet?.name ?? text('settings.yourWallet') })}
      </p>
      <div className="walletActions">
        <NetworkButton />
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'Account' })}
        >
          {text('settings.open')}
        </button>
      </div>
    </section>
  )
}
