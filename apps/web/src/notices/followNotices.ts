import type { App } from '@latchkey/core'
import { getLatestActivity, getOldAllowances, listFollowedAccounts } from '@latchkey/react'
import { findAllowanceNotice, findNotices, type Notice } from './findNotices.ts'
import { openLink } from './followPresses.ts'
import { addSeen, changeNotices, noteAccounts, readNotices, takeTurn } from './noticesState.ts'
import { type Prices, readPrices } from './readPrices.ts'

/** The pause between two reads. */
const everyMs = 60_000
/** How often a tab checks again whether there is a network. */
const offlineMs = 5_000
const dayMs = 24 * 3_600_000
const lockName = 'latchkey.web.notices'

/**
 * Reads the news of the accounts of all connected wallets, one account a minute, and shows a notice
 * for each, until `signal` aborts. Only one tab of the browser does so at a time.
 */
export async function followNotices(app: App, { signal }: { signal: AbortSignal }): Promise<void> {
  const hold = () => readInTurns(app, signal)
  await navigator.locks.request(lockName, { signal }, hold).catch((cause: unknown) => {
    if (!signal.aborted) throw cause
  })
}

async function readInTurns(app: App, signal: AbortSignal) {
  while (true) {
    for (let waitMs = getWaitMs(); waitMs > 0 && !signal.aborted; waitMs = getWaitMs())
      await app.environment.sleep(waitMs, signal)
    if (signal.aborted) return
    // A browser that cannot store the turn ends this.
    const turn = takeTurn()
    // The next turn reads again.
    if (turn !== undefined) await readOnce(app, { turn, signal }).catch(() => {})
  }
}

function getWaitMs(): number {
  if (!navigator.onLine) return offlineMs
  // The clock may have been set back.
  return Math.min(everyMs, (readNotices()?.readAtMs ?? Date.now()) + everyMs - Date.now())
}

async function readOnce(
  app: App,
  { turn, signal }: { turn: 'allowances' | number; signal: AbortSignal },
) {
  if (turn === 'allowances') return readAllowances(app, signal)
  const accounts = await listFollowedAccounts(app)
  noteAccounts(accounts.map(({ key }) => key))
  const account = accounts[turn % accounts.length]
  if (!account) return
  const transactions = await getLatestActivity(app, { ...account, signal })
  const noted = readNotices()?.accounts[account.key]
  if (!noted) return
  const find = (prices: Prices) => findNotices(transactions, { account, ...noted, prices })
  if (find(new Map()).ids.length === 0) return
  const { notices, ids } = find(await readPrices(app, { ...account, signal }))
  if (signal.aborted) return
  addSeen(account.key, ids)
  for (const notice of notices) await show(app, notice)
}

async function readAllowances(app: App, signal: AbortSignal) {
  const notice = findAllowanceNotice(await getOldAllowances(app, { signal }))
  if (signal.aborted) return
  if (!notice) return changeNotices({ allowancesAtMs: Date.now() + dayMs })
  changeNotices({ allowancesAtMs: Date.now() + 7 * dayMs, allowancesOf: notice.accountId })
  await show(app, notice)
}

/** Shows a notice through the service worker, because phones allow no other way. */
async function show(app: App, { id, title, chainId, link }: Notice) {
  const { networks } = app.store.getState()
  const body = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.name ?? ''
  const options = { body, tag: id, icon: '/icon-192.png', data: link }
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active) return registration.showNotification(title, options)
  const notification = new Notification(title, options)
  notification.onclick = () => {
    window.focus()
    openLink(app, link)
    notification.close()
  }
}
