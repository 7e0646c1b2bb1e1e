import { type ChainId, formatUnits, type HistoryTransaction } from '@latchkey/wire'
import type { ChainConfig } from '../../config/chainsFile.ts'
import type { EsploraOutput, EsploraTransaction } from '../../esplora/answers.ts'
import type { GetTokenIcon } from '../../tokens/tokenIcons.ts'

/** The input of an entry. */
type EntryContext = {
  readonly chainId: ChainId
  readonly owner: string
  /** The owner's output script in hex. */
  readonly script: string
  readonly chain: Pick<ChainConfig, 'nativeCurrency'>
  readonly getTokenIcon: GetTokenIcon
  readonly nowMs: number
}

/**
 * A transaction in the wire format, from the account's point of view. The sent amount excludes
 * change, and the fee if only the account pays it. Pending transactions have the present time. A
 * fee that the account shares with others is left out.
 */
export function toBitcoinEntry(
  { txid, vin, vout, fee, status }: EsploraTransaction,
  { chainId, owner, script, chain, getTokenIcon, nowMs }: EntryContext,
): HistoryTransaction {
  const isOurs = (one: EsploraOutput | null) => one?.scriptpubkey === script
  const spent = vin.flatMap(({ prevout }) => prevout ?? [])
  const received = sum(vout.filter(isOurs))
  const paid = sum(spent.filter(isOurs))
  const isAlone = vin.every(({ prevout }) => isOurs(prevout))
  const isToSelf = isAlone && vout.every(isOurs)
  const isSending = paid > received
  const sent = paid - received - (isAlone ? BigInt(fee) : 0n)
  const direction = isToSelf ? 'self' : isSending ? 'out' : 'in'
  const amount = isToSelf ? received : isSending ? sent : received - paid
  const { name, symbol, decimals } = chain.nativeCurrency
  const url = getTokenIcon(symbol)
  const findOther = (list: readonly EsploraOutput[]) =>
    list.find((one) => !isOurs(one) && one.scriptpubkey_address)?.scriptpubkey_address
  const isOnePayer = isAlone || !spent.some(isOurs)
  const payer = isAlone ? owner : (findOther(spent) ?? '')
  return {
    id: `${chainId}:${txid}`,
    metadata: {
      operationType: isSending ? 'send' : 'receive',
      hash: txid,
      minedAt: new Date(status.confirmed ? status.block_time * 1000 : nowMs).toISOString(),
      sentFrom: isSending ? owner : (findOther(spent) ?? ''),
      sentTo: isSending && !isToSelf ? (findOther(vout) ?? '') : owner,
      status: status.confirmed ? 'confirmed' : 'pending',
      nonce: 0,
      application: null,
      chain: chainId,
      ...(status.confirmed && { block: status.block_height }),
      ...(isOnePayer && { fee: { numeric: formatUnits(BigInt(fee), decimals), payer } }),
    },
    transfers: [
      {
        direction,
        value: null,
        price: null,
        quantity: { numeric: formatUnits(amount, decimals) },
        fungible_info: { name, symbol, icon: url === '' ? null : { url } },
        nft_info: null,
      },
    ],
  }
}

const sum = (outputs: readonly EsploraOutput[]) =>
  outputs.reduce((total, { value }) => total + BigInt(value), 0n)
