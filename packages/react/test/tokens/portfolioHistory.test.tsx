import { connect, latchkeyOne, latchkeyTwo, type Network } from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider, PortfolioHistory } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void
beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(() => silence())

async function show(answers: Parameters<typeof testApp>[1] = {}, networks?: readonly Network[]) {
  const accounts = networks && [{ address: alice, networks }]
  const app = testApp({}, answers)
  await render(
    <LatchkeyProvider app={app}>
      <main>
        <h1>Portfolio</h1>
        <PortfolioHistory accounts={accounts} />
      </main>
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
}

const points = (...values: number[]) =>
  values.map((price, index) => ({
    atMs: Date.now() - (values.length - index) * 3_600_000,
    price,
  }))

test('default: the account’s value as a line and as a table; loads another period', async () => {
  const asked: string[] = []
  await show({
    other: ({ pathname, searchParams }) => {
      if (pathname.toLowerCase() !== `/v1/account/${alice.toLowerCase()}/value`) return
      asked.push(`${searchParams.get('chainId')} ${searchParams.get('period')}`)
      const isDay = searchParams.get('period') === 'day'
      return isDay
        ? { points: points(0, 1_250, 1_300.5), since: null }
        : { points: points(7, 8), since: '2026-01-05T12:00:00Z' }
    },
  })
  await expect
    .element(page.getByRole('heading', { name: 'Value over time on Latchkey One' }))
    .toBeVisible()
  await expect
    .element(page.getByRole('img', { name: /^From .*0\.00 to \$1,300\.50/ }))
    .toBeVisible()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(page.getByRole('cell', { name: '$1,250.00' })).toBeVisible()
  await page.getByRole('tab', { name: 'Year' }).click()
  await expect.element(page.getByRole('cell', { name: '$8.00' })).toBeVisible()
  await expect.element(page.getByText('transactions since 1/5/2026')).toBeVisible()
  expect(await violations()).toEqual([])
  expect(asked).toEqual(['eip155:31337 day', 'eip155:31337 year'])
})

test('param: accounts: on the page’s network, which need not be the selected network', async () => {
  const asked: (string | null)[] = []
  const other = ({ pathname, searchParams }: URL) => {
    if (!pathname.endsWith('/value')) return
    asked.push(searchParams.get('chainId'))
    return { points: points(1, 2), since: null }
  }
  await show({ other }, [latchkeyTwo])
  const heading = page.getByRole('heading', { name: 'Value over time on Latchkey Two' })
  await expect.element(heading).toBeVisible()
  await expect.element(page.getByRole('img', { name: /^From/ })).toBeVisible()
  expect(asked).toEqual(['eip155:31338'])
})

test('param: accounts: several networks are added up', async () => {
  const other = ({ pathname, searchParams }: URL) => {
    if (!pathname.endsWith('/value')) return
    const isOne = searchParams.get('chainId') === 'eip155:31337'
    return { points: isOne ? points(1, 2) : points(10, 20), since: null }
  }
  await show({ other }, [latchkeyOne, latchkeyTwo])
  const heading = page.getByRole('heading', { name: 'Value over time on all networks' })
  await expect.element(heading).toBeVisible()
  await expect.element(page.getByRole('img', { name: /^From .*11\.00 to \$22\.00/ })).toBeVisible()
  expect(await violations()).toEqual([])
})

test.each([
  ['the line ends with it', 301.5, '$301.50'],
  ['not if the line leaves out tokens that it counts', 400, '$300.00'],
])('param: now: %s', async (_, now, end) => {
  const other = ({ pathname }: URL) =>
    pathname.endsWith('/value') ? { points: points(100, 200, 300), since: null } : undefined
  await render(
    <LatchkeyProvider app={testApp({}, { other })}>
      <PortfolioHistory accounts={[{ address: alice, networks: [latchkeyOne] }]} now={now} />
    </LatchkeyProvider>,
  )
  const line = page.getByRole('img', { name: `From $100.00 to ${end}.` })
  await expect.element(line).toBeVisible()
})

test('behavior: a network whose past is not known is named', async () => {
  const other = ({ pathname, searchParams }: URL) => {
    if (!pathname.endsWith('/value')) return
    const isOne = searchParams.get('chainId') === 'eip155:31337'
    return { points: isOne ? points(1, 2) : null, since: null }
  }
  await show({ other }, [latchkeyOne, latchkeyTwo])
  await expect.element(page.getByRole('img', { name: /^From .*1\.00 to \$2\.00/ })).toBeVisible()
  await expect.element(page.getByText(/no history\): Latchkey Two\.$/)).toBeVisible()
})

test.each([null, [], points(1)])(
  'behavior: without two values that are known, nothing is drawn: %j',
  async (known) => {
    const asked: string[] = []
    const other = ({ pathname, searchParams }: URL) => {
      if (!pathname.endsWith('/value')) return
      asked.push(`${searchParams.get('period')}`)
      return { points: known, since: null }
    }
    await show({ other }, [latchkeyOne])
    await expect.poll(() => asked).toContain(known === null ? 'day' : 'year')
    await expect.element(page.getByText(/^Value over time/)).not.toBeInTheDocument()
    expect(await violations()).toEqual([])
  },
)

test('behavior: an account without a value today has the chart of its year', async () => {
  const other = ({ pathname, searchParams }: URL) => {
    if (!pathname.endsWith('/value')) return
    return { points: searchParams.get('period') === 'year' ? points(7, 8) : [], since: null }
  }
  await show({ other }, [latchkeyOne])
  await page.getByRole('tab', { name: 'Year' }).click()
  await expect.element(page.getByRole('img', { name: /^From .*7\.00 to \$8\.00/ })).toBeVisible()
})

test('behavior: an account that was always empty has no chart', async () => {
  const asked: (string | null)[] = []
  await show({
    other: ({ pathname, searchParams }) => {
      if (!pathname.endsWith('/value')) return
      asked.push(searchParams.get('period'))
      return { points: points(0, 0, 0), since: null }
    },
  })
  await expect.poll(() => asked).toEqual(['day', 'year'])
  await expect.element(page.getByRole('tab', { name: 'Year' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('img')).not.toBeInTheDocument()
})

test('param: onPeriod: gets the period that is shown; each time has its day', async () => {
  const shown: string[] = []
  const other = ({ pathname }: URL) =>
    pathname.endsWith('/value') ? { points: points(5, 6, 7), since: null } : undefined
  const accounts = [{ address: alice, networks: [latchkeyOne] }]
  await render(
    <LatchkeyProvider app={testApp({}, { other })}>
      <PortfolioHistory accounts={accounts} onPeriod={(period) => shown.push(period)} />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Show as table' }).click()
  const weekday = new Date(Date.now() - 3_600_000).toLocaleString('en', { weekday: 'short' })
  const newest = page.getByRole('rowheader').first()
  await expect.element(newest).toHaveTextContent(weekday)
  await page.getByRole('tab', { name: 'Week' }).click()
  await expect.element(newest).toHaveTextContent(weekday)
  expect(shown).toEqual(['day', 'week'])
})

test('param: look: the line without axes gives the point under the pointer to the page', async () => {
  const shown: (number | undefined)[] = []
  const app = testApp(
    {},
    {
      other: ({ pathname }) =>
        pathname.endsWith('/value') ? { points: points(5, 6, 7), since: null } : undefined,
    },
  )
  await render(
    <LatchkeyProvider app={app}>
      <PortfolioHistory
        accounts={[{ address: alice, networks: [latchkeyOne] }]}
        look="wide"
        onPoint={(point) => shown.push(point?.price)}
      />
    </LatchkeyProvider>,
  )
  const line = page.getByRole('img', { name: /^From .*5\.00 to \$7\.00/ })
  await line.hover({ position: { x: 2, y: 20 } })
  await expect.poll(() => shown.at(-1)).toBe(5)
  await page.getByRole('tab', { name: 'Week' }).hover()
  await expect.poll(() => shown.at(-1)).toBe(undefined)
  expect(await violations()).toEqual([])
})
