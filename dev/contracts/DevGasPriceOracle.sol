// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface L1Block {
    function basefee() external view returns (uint256);
    function blobBaseFee() external view returns (uint256);
    function baseFeeScalar() external view returns (uint32);
    function blobBaseFeeScalar() external view returns (uint32);
    function operatorFeeConstant() external view returns (uint64);
    function operatorFeeScalar() external view returns (uint32);
}

/// Replaces GasPriceOracle, the contract of the OP stack that returns the cost of a transaction in
/// addition to its gas. It has the formulas of Fjord and Isthmus, except that it counts the full
/// size of the data instead of compressing it. For large data its result is therefore higher than
/// the charge.
contract DevGasPriceOracle {
    L1Block private constant L1_BLOCK = L1Block(0x4200000000000000000000000000000000000015);

    /// The cost of a transaction's data, in wei. `data`: the transaction without its signature.
    function getL1Fee(bytes calldata data) external view returns (uint256) {
        // The bytes of a signature, and the most that compression adds.
        uint256 size = data.length + 68;
        uint256 compressed = size + size / 255 + 16;
        // The estimated size in millionths of a byte, and at least 100 bytes.
        uint256 estimate = compressed * 836_500;
        estimate = estimate < 142_585_600 ? 100_000_000 : estimate - 42_585_600;
        uint256 price = 16 * uint256(L1_BLOCK.baseFeeScalar()) * L1_BLOCK.basefee()
            + uint256(L1_BLOCK.blobBaseFeeScalar()) * L1_BLOCK.blobBaseFee();
        return estimate * price / 1e12;
    }

    /// The operator's charge for a transaction with this gas limit, in wei.
    function getOperatorFee(uint256 gas) external view returns (uint256) {
        return gas * L1_BLOCK.operatorFeeScalar() / 1e6 + L1_BLOCK.operatorFeeConstant();
    }
}
