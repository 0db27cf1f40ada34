/** The blocks read do not continue the stored chain: the follower must restart from the database. */
export class OutOfOrder extends Error {
  override name = 'OutOfOrder'
}
