import { pushView, resetSendDraft, setSendDraft, setSwapDraft } from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './TokenDetail.module.css'

/** Buttons that send a token and swap it for another. */
export function TokenActions({ balance: { address, quantity, ...token } }: { balance: Balance }) {
  const app = useApp()
  const t = useT(enToken)
  const { status } = useAccount()
  const { send, swap } = useAppCapabilities()
  if (!/[1-9]/.test(quantity.numeric)) return null
  const actions = {
    send: () => {
      resetSendDraft(app)
      setSendDraft(app, { token: address ?? 'native' })
      pushView(app, { name: 'Send' })
    },
    swap: () => {
      const { name, symbol, iconUrl } = token
      const contract = address?.split(':').at(-1)
      const from = { name, symbol, iconUrl, decimals: Number(quantity.decimals) }
      const { to } = app.store.getState().swapDraft
      const isSame = to?.address?.toLowerCase() === contract?.toLowerCase()
      setSwapDraft(app, {
        from: { ...from, ...(contract && { address: contract }) },
        amount: '',
        ...(isSame && { to: undefined }),
      })
      pushView(app, { name: 'Swap' })
    },
  }
  const offered = (['send', 'swap'] as const).filter((name) => (name === 'send' ? send : swap))
  return (
    <div className={styles.actions}>
      {offered.map((name) => (
        <Button
          key={name}
          icon={name}
          variant={name === offered[0] ? 'main' : 'quiet'}
          aria-disabled={status !== 'connected' || undefined}
          onClick={() => status === 'connected' && actions[name]()}
        >
          {t(`account.${name}`)}
        </Button>
      ))}
    </div>
  )
}
