import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { account } from '../locales/account.en.ts'
import { SettingsScreen } from './SettingsScreen.tsx'

test('unknown: until the server reports a way of recovery, forgetting counts as a loss', () => {
  const props = { problem: undefined } as unknown as Parameters<typeof SettingsScreen>[0]
  const html = renderToStaticMarkup(createElement(SettingsScreen, props))
  expect(html).toContain(account.settings.forgetLoses)
  expect(html).not.toContain(account.settings.forgetHint)
})
