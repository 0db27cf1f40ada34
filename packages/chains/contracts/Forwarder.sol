// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Pays in the ways a wallet does not: the native coin from inside a call, several transfers in one transaction,
/// and a transfer that is undone because the call around it fails.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent, "the receiver refused");
    }

    function spread(address token, address[] calldata to, uint256[] calldata values) external {
        require(to.length == values.length, "one value for each receiver");
        for (uint256 i = 0; i < to.length; i++) pull(token, to[i], values[i]);
    }

    function payAndFail(address token, address to, uint256 value) external {
        pull(token, to, value);
        revert("undone on purpose");
    }

    /// Works with tokens that answer nothing as well as with those that answer true.
    function pull(address token, address to, uint256 value) private {
        (bool done, bytes memory answer) = token.call(
            abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, to, value)
        );
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "the token refused");
    }
}
