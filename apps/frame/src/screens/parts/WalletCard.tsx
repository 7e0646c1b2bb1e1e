import type { WalletAddresses } from '@latchkey/wire'
import { useState } from 'react'
import { fill } from '../../locales/en.ts'
import { migration as t } from '../../locales/migration.en.ts'

const networks = { eip155: t.evm, solana: t.solana } as const

type Props = {
  label: string
  addresses: WalletAddresses
  /** Whether the user may send to the addresses. */
  canCopy?: boolean
  isInUse?: boolean
}

/** A wallet of the user by its addresses. */
export function WalletCard({ label, addresses, canCopy = false, isInUse = false }: Props) {
  const [copied, setCopied] = useState('')
  const copy = async (address: string) => {
    await navigator.clipboard.writeText(address)
    setCopied(address)
  }
  return (
    <section className="device" aria-label={label}>
      <span className="strong">{label}</span>
      {isInUse && <span className="small quiet">{t.inUse}</span>}
      {(['eip155', 'solana'] as const).map((namespace) => {
        const address = addresses[namespace]
        const network = networks[namespace]
        return (
          <div key={namespace}>
            <span className="small quiet">{network}</span>
            <p className="copy" dir="ltr">
              {address}
            </p>
            {canCopy && (
              <button
                type="button"
                className="link"
                aria-label={fill(t.copyOn, { network })}
                onClick={() => void copy(address).catch(() => {})}
              >
                <span role="status">{copied === address ? t.copied : t.copy}</span>
              </button>
            )}
          </div>
        )
      })}
    </section>
  )
}
