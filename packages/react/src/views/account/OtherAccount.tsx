import { canChooseAccount, chooseAccount, showToast } from '@latchkey/core/internal'
import { isError, type Namespace } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
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
  return <Choice key={connector.id} namespace={account.namespace} />
}

function Choice({ namespace }: { namespace: Namespace }) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enActivity)
  const [isOffered, setIsOffered] = useState(false)
  const [isWaiting, setIsWaiting] = useState(false)
  useEffect(() => {
    let isLeft = false
    canChooseAccount(app, { namespace }).then(
      (can) => !isLeft && setIsOffered(can),
      () => {},
    )
    return () => {
      isLeft = true
    }
  }, [app, namespace])
  const choose = async () => {
    setIsWaiting(true)
    try {
      await chooseAccount(app, { namespace })
    } catch (error) {
      if (isError(error, 'UNSUPPORTED_METHOD')) setIsOffered(false)
      if (!isError(error, 'USER_REJECTED'))
        showToast(app, { message: getMessage(error), variant: 'error' })
    } finally {
      setIsWaiting(false)
    }
  }
  if (!isOffered) return null
  return (
    <Button variant="text" icon="wallet" busy={isWaiting} onClick={choose}>
      {t(isWaiting ? 'account.choosing' : 'account.other')}
    </Button>
  )
}
