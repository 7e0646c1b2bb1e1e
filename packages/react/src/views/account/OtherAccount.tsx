import type { Namespace } from '@latchkey/wire'
import { useState } from 'react'
import { useAccountChoice } from '../../app/useAccountChoice.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'

/**
 * Lets the user choose another account of the same wallet; draws nothing if the wallet does not
 * support that.
 */
export function OtherAccount() {
  const { account, connector } = useAccount()
  if (!account || !connector) return null
  return <Choice key={connector.id} namespace={account.namespace} connectorId={connector.id} />
}

function Choice(wallet: { namespace: Namespace; connectorId: string }) {
  const t = useT(enActivity)
  const { isOffered, choose } = useAccountChoice(wallet)
  const [isWaiting, setIsWaiting] = useState(false)
  if (!isOffered) return null
  return (
    <Button
      variant="text"
      icon="wallet"
      busy={isWaiting}
      onClick={async () => {
        setIsWaiting(true)
        await choose()
        setIsWaiting(false)
      }}
    >
      {t(isWaiting ? 'account.choosing' : 'account.other')}
    </Button>
  )
}
