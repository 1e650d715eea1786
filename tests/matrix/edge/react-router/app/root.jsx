import { Outlet } from 'react-router';

export default () => (
  <html>
    <body>
      <Outlet />
    </body>
  </html>
);
