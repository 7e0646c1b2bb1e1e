import type { Locator, Page } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import { expect, pageOf } from './fixtures.ts'

/** Reads the QR code in an element's pixels, like a camera. */
async function readCode(element: Locator): Promise<string> {
  const png = (await element.screenshot({ animations: 'disabled' })).toString('base64')
  const { width, height, reds } = await element.page().evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = bitmap
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    if (!canvas) throw new Error('No canvas')
    canvas.drawImage(bitmap, 0, 0)
    const { data } = canvas.getImageData(0, 0, width, height)
    // Dark and light are the same in every channel; a single channel is faster to transfer.
    let reds = ''
    for (let at = 0; at < data.length; at += 4) reds += String.fromCharCode(data[at] ?? 0)
    return { width, height, reds: btoa(reds) }
  }, png)
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const [at, red] of Buffer.from(reds, 'base64').entries()) data.fill(red, at * 4, at * 4 + 3)
  return decodeQR({ width, height, data })
}

/** Opens the QR code in the modal of a page that is not connected. */
export async function openCode(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  return dialog
}

/** Scans the code that the modal shows. */
export async function scan(page: Page): Promise<string> {
  const code = page.getByRole('dialog').getByRole('img', { name: 'QR code to connect a wallet' })
  await expect(code).toBeVisible()
  let uri = ''
  const read = async () => {
    uri = await readCode(code).catch(String)
    return uri
  }
  // The code may still be rendering.
  await expect.poll(read).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  return uri
}

type Kind = 'proposal' | 'sign-in' | 'request'

/** Passes a pairing URI to the wallet and waits until it shows the app's proposal. */
export async function pair(wallet: Page, uri: string, kind: Kind = 'proposal') {
  await wallet.getByTestId('uri').fill(uri)
  await wallet.getByTestId('pair').click()
  await expect(wallet.getByTestId(kind)).toBeVisible()
}

/** Responds to the request that the wallet shows, which must be of this kind. */
export async function decide(wallet: Page, kind: Kind, decision: 'approve' | 'reject') {
  await wallet.getByTestId(kind).getByTestId(decision).click()
  await expect(wallet.getByTestId(kind)).toBeHidden()
}

/**
 * Connects the web app with the wallet on the other device, which has the first two accounts.
 * `carry` may change the pairing URI on the way.
 */
export async function connectElsewhere(
  page: Page,
  wallet: Page,
  carry: (uri: string) => string = (uri) => uri,
) {
  await page.goto(pageOf('/developer'))
  const dialog = await openCode(page)
  await pair(wallet, carry(await scan(page)))
  await wallet.getByTestId('allow-account-1').check()
  await decide(wallet, 'proposal', 'approve')
  await expect(dialog).toBeHidden()
  await expect(account(page)).toBeVisible()
}

/** The button of the connected account; by default the first development account. */
export const account = (page: Page, name: RegExp = /^Account 0xf3…b92266/i) =>
  page.getByRole('button', { name }).first()

/** The button of the network in use. */
export const network = (page: Page, name: string) =>
  page.getByRole('button', { name: `Network: ${name}` }).first()
