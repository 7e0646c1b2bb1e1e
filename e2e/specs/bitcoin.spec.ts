import type { Page } from '@playwright/test'
import { p2wpkh } from '@scure/btc-signer'
import { concatBytes, sha256x2 } from '@scure/btc-signer/utils.js'
import { hexToBytes, recoverPublicKey, toHex } from 'viem'
import { askToSign, openDeveloperPage } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'

const wallet = 'Latchkey Development Wallet'
const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
// The first of the development accounts, and one that nobody else sends to.
const own = 'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw'
const receiver = 'bcrt1qvlwxpcmszwutam7ykvwc272r748a9zzszj8a4s'
const ownBitcoin = /^Account bcrt…wjpnuw/

const account = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

async function connectBitcoin(page: Page) {
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(wallet) }).click()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: /^Bitcoin/ }).click())
  await expect(dialog).toBeHidden()
  await expect(account(page, ownBitcoin)).toBeVisible()
  return dialog
}

type Stats = { chain_stats: Flow; mempool_stats: Flow }
type Flow = { funded_txo_sum: number; spent_txo_sum: number }

/** What an address has ever received, in satoshis, as the chain says. */
async function readReceived(address: string) {
  const response = await fetch(`${stack.urls.bitcoin}/address/${address}`)
  const { chain_stats, mempool_stats } = (await response.json()) as Stats
  return chain_stats.funded_txo_sum + mempool_stats.funded_txo_sum
}

/** The P2WPKH address of the key that signed a message (BIP-137), in base64; by other libraries than the product's verifier. */
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

test('default: connects, shows the balance, sends after a declined try, lists it, stays after a reload, disconnects', async ({
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
  const opened = page.waitForEvent('popup')
  await send.click()
  const popup = await opened
  for (const text of ['0.25 BTC', receiver])
    await expect(popup.getByTestId('details')).toContainText(text)
  await popup.getByTestId('approve').click()
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

test('default: a message is signed, and another library recovers who signed it', async ({
  page,
}) => {
  await connectBitcoin(page)
  await openDeveloperPage(page)
  const opened = page.waitForEvent('popup')
  const form = await askToSign(page, 'Hello from Bitcoin')
  const popup = await opened
  await expect(popup.getByText('Hello from Bitcoin')).toBeVisible()
  await popup.getByTestId('approve').click()
  await expect(form.getByText('Valid: signed by bcrt…wjpnuw')).toBeVisible()
  const signature = await form.locator('pre').textContent()
  expect(await recoverAddress('Hello from Bitcoin', signature ?? '')).toBe(own)
})
