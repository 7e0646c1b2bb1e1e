import {
  hasAddressForm,
  isAddress,
  isName,
  isSameAddress,
  isZeroAddress,
  type Receiver,
} from '@latchkey/core/internal'
import { isError, stripBlanks } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nameQuery } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** Milliseconds without typing before a name is resolved. */
const NAME_WAIT_MS = 300

/** The state of a receiver; `ready` when transfers to its address are possible. */
export type ReceiverStatus =
  | 'empty'
  | 'checking'
  | 'invalid'
  | 'mistyped'
  | 'zero'
  | 'contract'
  | 'resolving'
  | 'unknown'
  | 'invalidName'
  | 'noNames'
  | 'failed'
  | 'ready'

/** Parses the typed receiver: an address, or a name whose address is not known yet. */
export function toReceiver(typed: string): Receiver {
  const text = stripBlanks(typed)
  return isName(text) ? { address: '', name: text } : { address: text }
}

/**
 * Returns the state of a receiver and resolves a name; `onResolved` gets the same receiver with
 * its address. The last input wins, regardless of the order of responses. `reason`: the server's
 * reason if it could not resolve a name. What is sent to the contract of a token is lost: of a
 * token of the account, or `contract`.
 */
export function useReceiver({
  receiver,
  contract,
  onResolved,
}: {
  receiver: Receiver
  contract?: string | undefined
  onResolved: (receiver: Receiver) => void
}): { status: ReceiverStatus; reason: string | undefined; retry: () => void } {
  const app = useApp()
  const { caipNetworkId: chainId, chainNamespace: namespace } = useNetwork().network
  const { names: hasNames } = useAppCapabilities()
  const { address, name, imageUrl } = receiver
  const isValid = useIsAddress(address)
  const { data: balances = [] } = useBalances()
  // A token's address is a CAIP-10 id; its last part is the address on the chain.
  const contracts = [contract, ...balances.map((token) => token.address?.split(':').at(-1))]
  const isContract = contracts.some(
    (other) => other !== undefined && isSameAddress({ namespace, one: address.trim(), other }),
  )
  const settled = useDebounced(name, NAME_WAIT_MS)
  const enabled = name !== undefined && settled === name && hasNames
  const query = useQuery(
    { ...nameQuery(app, { name: name ?? '', chainId }), enabled },
    getQueryClient(app),
  )
  const found = enabled ? query.data : undefined
  const isTaken = found?.address === address && found?.imageUrl === imageUrl
  useEffect(() => {
    if (name === undefined || !found?.address || isTaken) return
    onResolved({ address: found.address, name, imageUrl: found.imageUrl })
  })
  const status = () => {
    if (isZeroAddress({ namespace, address })) return 'zero'
    if (isContract) return 'contract'
    if (name === undefined) {
      if (address === '') return 'empty'
      if (isValid !== false) return isValid ? 'ready' : 'checking'
      return hasAddressForm({ namespace, text: address.trim() }) ? 'mistyped' : 'invalid'
    }
    if (!hasNames) return 'noNames'
    if (found) return !found.address ? 'unknown' : isTaken ? 'ready' : 'resolving'
    if (!enabled || !query.isError || query.isFetching) return 'resolving'
    return isRefused(query.error) ? 'invalidName' : 'failed'
  }
  const reason = readReason(query.error)
  return { status: status(), reason, retry: () => void query.refetch() }
}

function readReason(error: unknown): string | undefined {
  const { reason } = isError(error, 'HTTP_FAILED') ? (error.data as { reason?: unknown }) : {}
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

const isRefused = (error: unknown) =>
  isError(error, 'HTTP_FAILED') && Number(error.data.status) === 400

/** Whether a string is an address of the selected network; undefined until known. */
function useIsAddress(text: string): boolean | undefined {
  const app = useApp()
  const { chainNamespace: namespace, caipNetworkId: chainId } = useNetwork().network
  const [known, setKnown] = useState<{ text: string; valid: boolean }>()
  useEffect(() => {
    let current = true
    isAddress(app, { address: text, namespace, chainId }).then(
      (valid) => current && setKnown({ text, valid }),
      // The code could not be loaded; the preview checks again.
      () => {},
    )
    return () => {
      current = false
    }
  }, [app, namespace, chainId, text])
  return known?.text === text ? known.valid : undefined
}
