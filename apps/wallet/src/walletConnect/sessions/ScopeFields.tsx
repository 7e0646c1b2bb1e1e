import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import { texts as own } from '../../texts.ts'
import { texts } from '../texts.ts'

/** Networks and accounts as a person has ticked them: EIP-155 numbers and indexes. */
export type Scope = { chainIds: readonly number[]; indexes: readonly number[] }

/** Lets a person tick networks and accounts; those of `required` stay. */
export function ScopeFields({
  chains,
  scope,
  onChange,
}: {
  chains: readonly { chainId: number; name: string; required: boolean }[]
  scope: Scope
  onChange: (scope: Scope) => void
}) {
  return (
    <>
      {chains.length > 0 && (
        <fieldset>
          <legend>{texts.networks}</legend>
          {chains.map(({ chainId, name, required }) => (
            <Check
              key={chainId}
              testId={`allow-chain-${chainId}`}
              checked={scope.chainIds.includes(chainId)}
              disabled={required}
              onToggle={() => onChange({ ...scope, chainIds: toggle(scope.chainIds, chainId) })}
            >
              {name} ({chainId}){required && <em> {texts.required}</em>}
            </Check>
          ))}
        </fieldset>
      )}
      <AccountChecks
        indexes={scope.indexes}
        onChange={(indexes) => onChange({ ...scope, indexes })}
      />
    </>
  )
}

/** Lets a person tick accounts. */
export function AccountChecks({
  indexes,
  onChange,
}: {
  indexes: readonly number[]
  onChange: (indexes: readonly number[]) => void
}) {
  return (
    <fieldset>
      <legend>{texts.accounts}</legend>
      {accounts.map((address, index) => (
        <Check
          key={address}
          testId={`allow-account-${index}`}
          checked={indexes.includes(index)}
          onToggle={() => onChange(toggle(indexes, index))}
        >
          <span title={address}>
            {own.account(index)} <small>{`${address.slice(0, 6)}…${address.slice(-6)}`}</small>
          </span>
        </Check>
      ))}
    </fieldset>
  )
}

function Check({
  testId,
  checked,
  disabled = false,
  onToggle,
  children,
}: {
  testId: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
  children: React.ReactNode
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        data-testid={testId}
        checked={checked}
        disabled={disabled}
        onChange={onToggle}
      />
      <span>{children}</span>
    </label>
  )
}

// What is ticked later comes later: the first account is the one in use.
const toggle = (all: readonly number[], one: number): readonly number[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]

/** Networks of this wallet to tick. */
export const toScopeChains = (config: Config, required: ReadonlySet<number>) =>
  config.chains.map(({ chainId, name }) => ({ chainId, name, required: required.has(chainId) }))
