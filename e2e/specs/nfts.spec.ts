import type { Page } from '@playwright/test'
import { answer, expect, openConnected, rpc, stack, test } from '../fixtures.ts'

const chain = 'eip155:31337'
// The fourth of the development accounts.
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const word = (value: bigint | string) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

/** The on-chain amount of an item that an account holds. */
async function itemsOf(account: string, id: bigint): Promise<bigint> {
  const data = `0x00fdd58e${word(account)}${word(id)}`
  const to = stack.addresses[chain]?.items
  return BigInt(await rpc<string>(chain, 'eth_call', [{ to, data }, 'latest']))
}

async function openNfts(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'NFTs' }).click()
  return dialog
}

test('default: a picture is shown and sent; it leaves this account and arrives at the receiver', async ({
  page,
}) => {
  await openConnected(page)
  const dialog = await openNfts(page)
  const cards = dialog.getByRole('list', { name: 'NFTs' }).getByRole('button')
  // Not the first picture: alice's name uses it.
  const card = cards.filter({ hasText: /#(?!1\D)\d+/ }).first()
  await expect(card).toBeVisible()
  const image = card.locator('img')
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  // The name loads with the picture.
  const name = (await card.getAttribute('title')) ?? ''
  expect(new URL((await image.getAttribute('src')) ?? '').hostname).toBe('127.0.0.1')

  await card.click()
  await expect(dialog.getByRole('heading', { name, exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText(receiver)).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(dialog.getByRole('list', { name: 'NFTs' })).toBeVisible()
  await expect(cards.filter({ hasText: name })).toHaveCount(0)

  const url = `${stack.urls.web}/v1/account/${receiver}/nfts?projectId=local&chainId=${chain}`
  const held = async () => {
    const { data } = (await (await page.request.get(url)).json()) as { data: { name: string }[] }
    return data.map((nft) => nft.name)
  }
  await expect.poll(held).toContain(name)
})

test('default: probable spam is confirmed first; some of many are sent to a name', async ({
  page,
}) => {
  await openConnected(page)
  const before = await itemsOf(receiver, 3n)
  const dialog = await openNfts(page)
  await expect(dialog.getByRole('list', { name: 'NFTs' })).toBeVisible()
  const cards = dialog.getByRole('list', { name: 'NFTs' }).getByRole('button')
  const shown = await cards.count()
  await dialog.getByRole('button', { name: /Show \d+ hidden/ }).click()
  await expect.poll(() => cards.count()).toBeGreaterThan(shown)

  const card = dialog.getByRole('button', { name: /Glass Marble/ })
  await expect(card).toBeVisible()
  await card.click()
  await expect(dialog.getByText('It has been won and lost.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Quantity').fill('999')
  await expect(dialog.getByText(/Enter a whole number from 1 to/)).toBeVisible()
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByLabel('To', { exact: true }).fill('dave.latchkey.eth')
  await expect(dialog.getByText(receiver)).toBeVisible()
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('2 × Glass Marble')).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect.poll(async () => (await itemsOf(receiver, 3n)) - before).toBe(2n)
})
