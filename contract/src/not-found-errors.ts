/** The errors with status 404, in the order of the table of all errors. */
export const notFoundErrors = {
  route_not_found: {
    status: 404,
    title: 'Route not found',
    advice: 'Check the path against the reference at `/docs`.',
  },
  chain_not_found: {
    status: 404,
    title: 'Chain not found',
    advice: 'Use the id of the chain that the token belongs to.',
  },
  vendor_not_found: {
    status: 404,
    title: 'Vendor not found',
    advice: 'Use the platform id or external id of a vendor of this chain.',
  },
  product_not_found: {
    status: 404,
    title: 'Product not found at this vendor',
    advice: 'Check the SKU, or create the product first.',
  },
  job_not_found: {
    status: 404,
    title: 'Job not found',
    advice: 'Use the `job_id` from the response that created the job. Jobs are kept for 30 days.',
  },
  promotion_not_found: {
    status: 404,
    title: 'Promotion not found',
    advice: 'Use a `promotion_id` from the list of promotions or from the promotion job.',
  },
  task_not_found: {
    status: 404,
    title: 'Task not found',
    advice: 'List the tasks that failed on every attempt. The task may have been retried or discarded already.',
  },
  token_not_found: {
    status: 404,
    title: 'Token not found',
    advice: 'List the API tokens of the chain to find the id.',
  },
  client_not_found: {
    status: 404,
    title: 'Client not found',
    advice: 'List the clients of the chain to find the id.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    advice: 'List the users of the chain to find the id.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    advice:
      'The link has expired, has been used or was replaced by a newer one. Ask an owner of your chain for a new link.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    advice: 'List the sessions to find the id. The session may already have ended.',
  },
  sftp_user_not_found: {
    status: 404,
    title: 'SFTP user not found',
    advice: 'List the SFTP users of the chain to find the id.',
  },
  public_key_not_found: {
    status: 404,
    title: 'Public key not found',
    advice: 'Get the SFTP user to find the ids of its keys.',
  },
  order_not_found: {
    status: 404,
    title: 'Order not found',
    advice: 'Check the `order_id`. Orders older than 60 days cannot be read or fulfilled, only cancelled.',
  },
  order_item_not_found: {
    status: 404,
    title: 'The order has no item with this id',
    advice: 'Use the `_id` of an item of the order.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not configured',
    advice:
      "Configure one with PUT. A vendor without its own webhook uses the chain's. The platform's webhooks are created with POST and identified by `webhook_id`.",
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    advice: 'List the deliveries of the chain to find the id. Deliveries are kept for 30 days.',
  },
  certification_not_found: {
    status: 404,
    title: 'Certification not found',
    advice: 'List the certifications of the chain to find the id. They are kept for one year.',
  },
  request_not_found: {
    status: 404,
    title: 'Request not found',
    advice:
      "Search the chain's request log. It contains the requests from the last 7 days. A request appears about two seconds after it ends.",
  },
  upload_not_found: {
    status: 404,
    title: 'Uploaded file not found',
    advice: 'List the files of the chain to find the id. An unfinished file expires after 24 hours.',
  },
  file_not_found: {
    status: 404,
    title: 'The job has no file',
    advice: 'Wait until the job is COMPLETED. A job that failed before its first item has no file.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>;
