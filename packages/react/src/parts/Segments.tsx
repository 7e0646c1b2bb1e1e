import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './Segments.module.css'

/**
 * A tab bar with the selected tab's panel below. Arrow keys only move the focus, because a tab may
 * ask a wallet.
 */
export function Segments<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: string }[]
  children: ReactNode
}) {
  // With a single tab there is nothing to choose.
  if (tabs.length < 2) return children
  return (
    <Tabs.Root
      className={styles.root}
      value={value}
      onValueChange={(next: unknown) => onChange(next as Value)}
    >
      <Tabs.List className={styles.list} aria-label={label} activateOnFocus={false}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} className={styles.tab} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel className={styles.panel} value={value}>
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  )
}
