import {
  isLatchkeyError,
  useAccount,
  useConnections,
  useSwitchConnection,
  useToast,
} from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'

/**
 * The address of the account that the user shows alone, undefined for all accounts. The function
 * `choose` also puts the account in use. If another account is put in use elsewhere, it is shown.
 */
export function useChosenAccount() {
  const { address: current } = useAccount()
  const connections = useConnections()
  const { switchConnectionAsync } = useSwitchConnection()
  const { showToast } = useToast()
  const [chosen, setChosen] = useState<string>()
  const [before, setBefore] = useState(current)
  if (current !== before) {
    setBefore(current)
    if (chosen !== undefined && current !== undefined) setChosen(current)
  }
  const choose = (address: string | undefined) => {
    setChosen(address)
    const connection = connections.find((one) => one.address === address)
    if (!connection) return
    const { connectorId, namespace } = connection
    switchConnectionAsync({ connectorId, namespace }).catch((error) => {
      if (isLatchkeyError(error, 'ABORTED')) return
      showToast({ message: text('portfolio.notInUse'), variant: 'error' })
    })
  }
  return { chosen, choose }
}
