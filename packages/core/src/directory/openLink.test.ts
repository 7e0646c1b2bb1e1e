import { expect, test } from 'vitest'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { openLink } from './openLink.ts'

const link = { href: 'trust://wc?uri=x', base: 'trust://' }

const open = (page: Parameters<typeof createPage>[0], opened: Parameters<typeof openLink>[1]) => {
  const window = createPage(page)
  const app = openApp({ ...createBrowser().openTab(), page: window })
  openLink(app, opened)
  return { app, opened: window.opened }
}

test('default', () => {
  const { app, opened } = open({}, { link, name: 'Trust' })
  expect(opened).toEqual([
    { url: 'trust://wc?uri=x', target: '_self', features: 'noopener noreferrer' },
  ])
  expect(app.storage.get('openedLink')).toEqual({ href: 'trust://', name: 'Trust' })
})

test('behavior: at the top from a frame', () => {
  expect(open({ isFramed: true }, { link, name: 'Trust' }).opened[0]?.target).toBe('_top')
})

test('behavior: a new window from Telegram', () => {
  expect(open({ isTelegram: true }, { link, name: 'Trust' }).opened[0]?.target).toBe('_blank')
})

test('behavior: a wallet that is a web page opens in a new window', () => {
  const page = { ...link, opensPage: true } as const
  expect(open({}, { link: page, name: 'Safe' }).opened[0]?.target).toBe('_blank')
})

test("behavior: a wallet's own browser is not brought to the front later", () => {
  const { app } = open({}, { link: { href: 'https://phantom.app/x' }, name: 'Phantom' })
  expect(app.storage.get('openedLink')).toBeUndefined()
})
