import { ActivityList } from './ActivityList.tsx'

/** The account's activity in a view of its own. */
export const Transactions = () => <ActivityList />
