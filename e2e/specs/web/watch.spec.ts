import { expect, stack, test } from '../../fixtures.ts'

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('default: watches an address without a wallet; the list stays, and an entry can be removed', async ({
  page,
}) => {
  await page.goto(`${stack.urls.web}/watch`)
  await expect(page.getByRole('heading', { level: 1, name: 'Watched addresses' })).toBeVisible()
  const field = page.getByLabel('Address or name')
  await field.fill(`  ${bob.toLowerCase()} `)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  const account = page.getByRole('region', { name: bob })
  await expect(account.getByText('Ether').first()).toBeVisible()
  await expect(account.getByRole('heading')).toContainText('$')
  await expect(account.getByRole('button', { name: 'Send' })).toHaveCount(0)
  await expect(field).toHaveValue('')
  await page.reload()
  await expect(account.getByText('Ether').first()).toBeVisible()
  await page.getByRole('button', { name: /^Remove 0x70/ }).click()
  await expect(account).toHaveCount(0)
  await expect(page.getByText('No address yet')).toBeVisible()
})

test('error: no address, and the same address again', async ({ page }) => {
  await page.goto(`${stack.urls.web}/watch`)
  const field = page.getByLabel('Address or name')
  const watch = page.getByRole('button', { name: 'Watch', exact: true })
  // One character of the checksum is wrong.
  await field.fill(bob.replace('C51', 'c51'))
  await watch.click()
  await expect(page.getByText('A character of this address is wrong')).toBeVisible()
  await expect(field).toHaveValue(bob.replace('C51', 'c51'))
  await field.fill(bob)
  await watch.click()
  await expect(page.getByRole('region', { name: bob })).toBeVisible()
  await field.fill(bob)
  await watch.click()
  await expect(page.getByText('You already watch this address.')).toBeVisible()
})

test('error: the balances of an account are not available on its networks', async ({ page }) => {
  const solana = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    const config = await response.json()
    const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
    await route.fulfill({ response, json: { ...config, networks: [...config.networks, devnet] } })
  })
  await page.addInitScript(
    (value) => localStorage.setItem('latchkey.web.watched', value),
    JSON.stringify([{ namespace: 'solana', address: solana }]),
  )
  await page.goto(`${stack.urls.web}/watch`)
  const account = page.getByRole('region', { name: solana })
  await expect(account.getByText('Balances are not available on Solana Devnet.')).toBeVisible()
})
