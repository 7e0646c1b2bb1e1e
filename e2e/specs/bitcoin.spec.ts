import type { Page } from '@playwright/test'
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer'
import { concatBytes, sha256x2 } from '@scure/btc-signer/utils.js'
import { hexToBytes, recoverPublicKey, toHex } from 'viem'
import { connectOn } from '../connectOn.ts'
import { askToSign, openDeveloperPage, section } from '../developerPage.ts'
import { answer, answerIn, expect, stack, test } from '../fixtures.ts'

const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
// The first of the development accounts, and a receiver that no other test uses.
const own = 'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw'
const receiver = 'bcrt1qvlwxpcmszwutam7ykvwc272r748a9zzszj8a4s'
const ownBitcoin = /^Account bcrt…wjpnuw/

const account = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

async function connectBitcoin(page: Page) {
  const dialog = await connectOn(page, 'Latchkey Bitcoin')
  await expect(account(page, ownBitcoin)).toBeVisible()
  return dialog
}

type Stats = { chain_stats: Flow; mempool_stats: Flow }
type Flow = { funded_txo_sum: number; spent_txo_sum: number }

/** The on-chain total that an address has received, in satoshis. */
async function readReceived(address: string) {
  const response = await fetch(`${stack.urls.bitcoin}/address/${address}`)
  const { chain_stats, mempool_stats } = (await response.json()) as Stats
  return chain_stats.funded_txo_sum + mempool_stats.funded_txo_sum
}

/**
 * The P2WPKH address of the key that signed a message (BIP-137), in base64; with different
 * libraries than the product's verifier.
 */
async function recoverAddress(message: string, signature: string) {
  const text = Buffer.from(message)
  const magic = Buffer.from('\x18Bitcoin Signed Message:\n')
  const hash = toHex(sha256x2(concatBytes(magic, Uint8Array.of(text.length), text)))
  const bytes = Buffer.from(signature, 'base64')
  const [r, s] = [toHex(bytes.subarray(1, 33)), toHex(bytes.subarray(33))]
  const yParity = (bytes[0] ?? 0) - 39
  const key = hexToBytes(await recoverPublicKey({ hash, signature: { r, s, yParity } }))
  const compressed = Uint8Array.of(2 + ((key[64] ?? 0) & 1), ...key.subarray(1, 33))
  return p2wpkh(compressed, regtest).address
}

test('default: connects, sends after a declined try, stays connected after a reload, disconnects', async ({
  page,
}) => {
  const dialog = await connectBitcoin(page)
  await expect(account(page, ownBitcoin)).toContainText('5.000 BTC')

  const before = await readReceived(receiver)
  await account(page, ownBitcoin).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Amount').fill('0.25')
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText(own)).toBeVisible()
  const send = dialog.getByRole('button', { name: 'Send', exact: true })
  await answer(page, 'reject', () => send.click())
  await expect(dialog.getByText('You declined the transfer. Nothing was sent.')).toBeVisible()
  expect(await readReceived(receiver)).toBe(before)
  const fast = dialog.locator('label').filter({ has: page.getByRole('radio', { name: /^Fast/ }) })
  await fast.getByRole('radio').check()
  // The wallet writes the same without the zeros at the end.
  const fee = /([\d.]+?)0* BTC/.exec((await fast.textContent()) ?? '')?.[1] ?? 'no fee'
  const opened = page.waitForEvent('popup')
  await send.click()
  const popup = await opened
  for (const text of ['0.25 BTC', receiver, `Fee${fee} BTC`])
    await expect(popup.getByTestId('details')).toContainText(text)
  await answerIn(popup, 'approve')
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  expect((await readReceived(receiver)) - before).toBe(25_000_000)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem')
  await expect(rows.first()).toContainText('−0.25 BTC')

  await page.reload()
  await expect(account(page, ownBitcoin)).toContainText('4.749 BTC')
  await account(page, ownBitcoin).click()
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

/**
 * A PSBT of a page: spends one coin of the account, pays the receiver, and returns the rest minus
 * 1,000 satoshis.
 */
async function buildPsbt() {
  const response = await fetch(`${stack.urls.bitcoin}/address/${own}/utxo`)
  const [coin] = (await response.json()) as { txid: string; vout: number; value: number }[]
  if (!coin) throw new Error('The account has no coin')
  const script = OutScript.encode(Address(regtest).decode(own))
  const transaction = new Transaction()
  const value = BigInt(coin.value)
  transaction.addInput({
    txid: coin.txid,
    index: coin.vout,
    witnessUtxo: { script, amount: value },
  })
  transaction.addOutputAddress(receiver, 20_000n, regtest)
  transaction.addOutputAddress(own, value - 21_000n, regtest)
  return Buffer.from(transaction.toPSBT()).toString('base64')
}

test('default: a signed message verifies with another library; a PSBT is reviewed first', async ({
  page,
}) => {
  const dialog = await connectBitcoin(page)
  await openDeveloperPage(page)
  const opened = page.waitForEvent('popup')
  const form = await askToSign(page, 'Hello from Bitcoin')
  const popup = await opened
  await expect(popup.getByText('Hello from Bitcoin')).toBeVisible()
  await answerIn(popup, 'approve')
  await expect(form.getByText('Valid: signed by bcrt…wjpnuw')).toBeVisible()
  const signature = await form.locator('pre').textContent()
  expect(await recoverAddress('Hello from Bitcoin', signature ?? '')).toBe(own)

  const psbt = await buildPsbt()
  const raw = section(page, 'Raw request')
  await raw.getByLabel('Method').fill('signPsbt')
  const signInputs = [{ address: own, index: 0 }]
  await raw.getByLabel('Parameters (JSON)').fill(JSON.stringify({ account: own, psbt, signInputs }))
  const ask = raw.getByRole('button', { name: 'Request', exact: true })
  await ask.click()
  await expect(dialog.getByText('0.00021 BTC')).toBeVisible()
  const outputs = dialog.getByRole('region', { name: 'Pays 2 outputs' }).getByRole('listitem')
  await expect(outputs.first()).toHaveText(`0.0002 BTC${receiver}`)
  await expect(outputs.last()).toContainText(`Back to you${own}`)
  await expect(dialog.getByRole('list', { name: 'Warnings' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(raw.locator('.failure')).toBeVisible()
  await ask.click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Continue in wallet' }).click(),
  )
  await expect(raw.locator('pre')).toContainText('psbt')
  const answered = JSON.parse((await raw.locator('pre').textContent()) ?? '')
  const signed = Transaction.fromPSBT(Buffer.from(answered.psbt, 'base64'))
  signed.finalize()
  expect(signed.fee).toBe(1_000n)
})
