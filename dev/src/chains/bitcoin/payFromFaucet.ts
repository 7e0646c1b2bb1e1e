import { p2wpkh, Transaction } from '@scure/btc-signer'
import { deriveFaucet } from './accounts.ts'
import type { Coin, Ledger } from './chain/createLedger.ts'
import type { BitcoinChain } from './chain/openChain.ts'
import { regtest } from './definition.ts'

const feePerByteSats = 2n

/**
 * Pays from the mined coins and returns the transaction's id. Throws when the faucet has too
 * little.
 */
export function payFromFaucet(
  chain: BitcoinChain,
  payments: readonly { address: string; value: bigint }[],
): string {
  const faucet = deriveFaucet()
  const { script } = p2wpkh(Buffer.from(faucet.publicKey, 'hex'), regtest)
  const total = payments.reduce((sum, { value }) => sum + value, 0n)
  const inputs: Coin[] = []
  let available = 0n
  for (const coin of listSpendable(chain.ledger, script)) {
    if (available >= total + getFee(inputs.length, payments.length)) break
    inputs.push(coin)
    available += coin.output.value
  }
  const change = available - total - getFee(inputs.length, payments.length)
  if (change < 0n) throw new Error('The faucet has too little: mine some blocks')
  const transaction = new Transaction()
  for (const { txid, vout, output } of inputs) {
    const witnessUtxo = { script, amount: output.value }
    transaction.addInput({ txid, index: vout, witnessUtxo })
  }
  for (const { address, value } of payments) transaction.addOutputAddress(address, value, regtest)
  if (change > 294n) transaction.addOutput({ script, amount: change })
  transaction.sign(Buffer.from(faucet.privateKey, 'hex'))
  transaction.finalize()
  return chain.submitOwn(transaction.extract()).txid
}

/** Bytes of a transaction that spends and pays witness outputs, with the change's, rounded up. */
const getFee = (inputs: number, outputs: number) =>
  feePerByteSats * BigInt(12 + 69 * inputs + 43 * (outputs + 1))

// A coinbase can be spent after a hundred confirmations.
const listSpendable = (ledger: Ledger, script: Uint8Array) =>
  ledger
    .getCoins(script)
    .filter(
      ({ entry: { transaction, block } }) =>
        !transaction.isCoinbase || (block && ledger.tip.height - block.height >= 99),
    )
